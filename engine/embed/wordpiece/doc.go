// Package wordpiece turns texts into the token ids that a BERT model reads.
//
// It is the tokenizer of the uncased BERT models, told as one pass over the
// text. The reference is the tokenizers library of Hugging Face with the
// tokenizer.json of all-MiniLM-L6-v2: BertNormalizer (clean, space out Chinese
// characters, strip accents, lower case), BertPreTokenizer (split at white space
// and around punctuation) and WordPiece (the longest piece first; what cannot be
// covered, or is longer than 100 characters, is [UNK]).
//
//	I1  The ids are those of the reference for every text of valid UTF-8; bytes
//	    that are not are left out. Golden files made with the reference hold it:
//	    every rune between two letters, and thousands of made-up texts.
//	I2  Normalisation is a function of single runes. Stripping accents after
//	    canonical decomposition could reorder marks, but a mark that is left is in
//	    no vocabulary, so its word is [UNK] in any order.
//	I3  Encode and Count allocate nothing, except when dst grows, and a Tokenizer
//	    is read-only: it may be used by many goroutines.
//
// What a rune becomes stands in table.bin, which a test with -update makes from
// the Unicode tables of Go and golang.org/x/text and from the differences of the
// reference, which reads an older Unicode.
package wordpiece
