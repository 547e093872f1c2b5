// Command cmd runs the bench of package embedding: make bench-embed.
//
// Called with -work it is our side of the comparison instead, and answers
// requests on its standard input.
package main
