/** What a browser says it is, in two words: enough to tell one's devices apart, and nothing more is kept. */
export function nameDevice(userAgent: string | null): string {
  const agent = userAgent ?? "";
  const browser =
    [
      ["Edg", "Edge"],
      ["OPR/", "Opera"],
      ["SamsungBrowser", "Samsung Internet"],
      ["Firefox", "Firefox"],
      ["FxiOS", "Firefox"],
      ["CriOS", "Chrome"],
      ["Chrome", "Chrome"],
      ["Safari", "Safari"],
    ].find(([sign = ""]) => agent.includes(sign))?.[1] ?? "";
  const system =
    [
      ["Android", "Android"],
      ["iPhone", "iPhone"],
      ["iPad", "iPad"],
      ["Windows", "Windows"],
      ["Mac OS X", "Mac"],
      ["CrOS", "Chromebook"],
      ["Linux", "Linux"],
    ].find(([sign = ""]) => agent.includes(sign))?.[1] ?? "";
  return [browser, system].filter(Boolean).join(", ") || "?";
}
