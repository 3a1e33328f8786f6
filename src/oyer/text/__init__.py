"""Text as code sees it: folded, quoted, cut into words and segments, looked up in a lexicon.

fold      JL-FOLD, with the way back to the original offsets
quotes    a quote -> where it stands (JL-QUOTE)
words     tokens, keywords, the language of a text (JL-TOKEN, JL-STEM)
segments  sentences and segments (JL-REL-SEGMENTS)
lexicon   slurs, profanity and stereotypes
printable untrusted text for terminals and pages
coverage  which tokens of a text a claim takes up (JL-EXTRANEOUS)
"""
