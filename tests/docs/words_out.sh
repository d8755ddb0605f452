#!/usr/bin/env bash
# Words that are out (docs/glossary.md has those that are in): no text of the program, its documentation or its comments says them.
# A line of the list is a fixed string; each was either a riddle, a word for word translation, or a second word for one thing.
set -euo pipefail
found=0
while IFS= read -r word; do
  [ -n "$word" ] || continue
  if git grep -nF -e "$word" -- README.md docs/*.md core cli plugins sdk/*.md configs bench ':!*/data/*' >/tmp/words_out.$$; then
    echo "'$word' is out:"
    cat /tmp/words_out.$$
    found=1
  fi
done <<'WORDS'
which there is not
gone on with
goes on with it
made-up
of then with
stands above
TO KNOW
and alike
row a report
line a question
equal programs differ
equal runs
what was concluded
that nobody expects
nobody makes
hold against it
keep nothing of it
when it has ended
may take of the disk
tells the busy runs from the others
Between dotted lines
on the wrong side)
what is left of it was chosen
costs no truth
instant once"
so it is"
says all of one command
What stands after
How much equal
sounds like the state before
no such place
a part that comes and goes
series looked at
link to nothing
stands here a second time
nobody to judge
is there twice
for want of memory
reads what is not there
no SQLite database
holds the host up
so nothing is said of
a row and not the end
asked the device for the same in
speak for a slow link
how far the value is to be trusted
WORDS
rm -f /tmp/words_out.$$
exit $found
