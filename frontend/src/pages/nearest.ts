/** Which address somebody may have meant who opened one that does not exist. */

/** How many letters must be changed, added or removed to get from one text to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const [i, letter] of Array.from(from).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(to).entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The known address that is spelt most like this one; null where none is like it. */
export function nearest(path: string, known: readonly string[]): string | null {
  const asked = path.toLowerCase().replace(/\/+$/, "");
  if (asked.length > 120) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const one of known) {
    const far = distance(asked, one);
    // a board without its version, or what begins like it, is as good as spelt right
    const begins = asked.length > 3 && one.startsWith(asked) ? 0 : far;
    if (begins < least) [best, least] = [one, begins];
  }
  return best !== null && least <= Math.max(2, best.length / 4) ? best : null;
}
