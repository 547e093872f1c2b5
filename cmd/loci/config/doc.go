// Package config reads the configuration of a Loci server once, at the start,
// and remembers where every value came from.
//
// A setting has one name and three places: `--public-url` on the command line,
// LOCI_PUBLIC_URL in the environment, `public-url:` in the YAML file. All that
// is known of it (name, default, bounds, help) stands in the tags of one field
// of [Settings], so that the flag, the variable, the key, the help text and
// the check cannot drift apart.
//
// Invariants that the code cites:
//
//	I1  Precedence is flag, then environment, then file, then default; each
//	    setting is decided alone.
//	I2  A value that is out of its bounds is refused with the place it came
//	    from and the bound; nothing is clamped in silence.
//	I3  A key of the file that is no setting is refused by name: a misspelt
//	    setting must not look like a default.
//	I4  A secret is never printed: not by [Effective.Table], not in an error.
//
// Caveat: a variable that is set but empty counts as not set, because
// containers pass empty variables along for "nothing was configured".
package config
