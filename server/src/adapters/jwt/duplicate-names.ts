/**
 * Whether an object in the JSON text has the same name twice. JSON.parse takes the last one, other parsers the
 * first, so such a token is refused. The text must be valid JSON.
 */
export function hasDuplicateNames(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined) {
      const names = open.at(-1)
      const text = String(JSON.parse(name))
      if (names?.has(text)) return true
      names?.add(text)
    }
  }
  return false
}
