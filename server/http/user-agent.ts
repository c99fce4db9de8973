/** The first of these that a browser says of itself is what it is; each says what others are, too. */
const browsers = {
  Edg: "Edge",
  "OPR/": "Opera",
  SamsungBrowser: "Samsung Internet",
  Firefox: "Firefox",
  FxiOS: "Firefox",
  CriOS: "Chrome",
  Chrome: "Chrome",
  Safari: "Safari",
};
const systems = {
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Windows: "Windows",
  "Mac OS X": "Mac",
  CrOS: "Chromebook",
  Linux: "Linux",
};

/** What a browser says it is, in two words: enough to tell one's devices apart, and nothing more is kept. */
export function nameDevice(userAgent: string | null): string {
  const found = [browsers, systems].map(
    (names) => Object.entries(names).find(([sign]) => userAgent?.includes(sign))?.[1],
  );
  return found.filter(Boolean).join(", ") || "?";
}
