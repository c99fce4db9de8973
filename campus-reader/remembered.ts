/**
 * The same function, asked once for each text: a campus is read anew whenever one of its files changes, and the others
 * say what they said. What it gave is handed out again, and must not be changed.
 */
export function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { result: Result }>();
  return (text) => {
    const found = known.get(text) ?? { result: work(text) };
    known.set(text, found);
    return found.result;
  };
}
