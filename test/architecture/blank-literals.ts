/**
 * Replaces comments and the contents of strings, templates and regular expressions by spaces, so that the rest can be
 * searched as code. Quotes of strings and line breaks stay, and so does every position.
 */
export function blankLiterals(text: string): string {
  const openBraces: number[] = []
  let blanked = ''
  let previous = ''
  while (blanked.length < text.length) {
    const inTemplate = openBraces.at(-1) === 0
    const token = readToken(text, blanked.length, {
      inTemplate,
      valueMayBegin: VALUE_MAY_BEGIN.test(previous),
    })
    countBraces(openBraces, token)
    blanked += token.kind === 'code' ? token.text : hide(token)
    if (token.kind !== 'comment' && token.text.trim() !== '') previous = token.text
  }
  return blanked
}

type Kind = 'comment' | 'string' | 'template' | 'regex' | 'code'
type Token = { readonly kind: Kind; readonly text: string }

/** After one of these tokens a slash begins a regular expression; after any other it divides. */
const VALUE_MAY_BEGIN =
  /^$|[(,=:[!&|?{};+*%<>~^-]$|^(?:return|typeof|case|in|of|await|yield|void|throw|new|delete)$/

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const TEMPLATE_START = /`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const TEMPLATE_REST = /\}(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const REGEX = /\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const CODE = /[\w$]+|[\s\S]/y

type Place = { readonly inTemplate: boolean; readonly valueMayBegin: boolean }

function readToken(text: string, position: number, { inTemplate, valueMayBegin }: Place): Token {
  const patterns: readonly (readonly [Kind, RegExp, boolean])[] = [
    ['comment', COMMENT, true],
    ['string', STRING, true],
    ['template', TEMPLATE_START, true],
    ['template', TEMPLATE_REST, inTemplate],
    ['regex', REGEX, valueMayBegin],
  ]
  for (const [kind, pattern] of patterns.filter(([, , possible]) => possible)) {
    const found = matchAt(pattern, text, position)
    if (found) return { kind, text: found }
  }
  return { kind: 'code', text: matchAt(CODE, text, position) ?? '' }
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

/** Keeps a stack with one entry per open template: the number of open braces in its current ${…}. */
function countBraces(openBraces: number[], { kind, text }: Token): void {
  const depth = openBraces.length - 1
  if (kind === 'template' && text.startsWith('`') && text.endsWith('${')) openBraces.push(0)
  if (kind === 'template' && text.startsWith('}') && text.endsWith('`')) openBraces.pop()
  if (kind !== 'code' || depth < 0) return
  if (text === '{') openBraces[depth] = (openBraces[depth] ?? 0) + 1
  if (text === '}') openBraces[depth] = (openBraces[depth] ?? 0) - 1
}

function hide({ kind, text }: Token): string {
  const hidden = text.replace(/[^\n]/g, ' ')
  return kind === 'string' ? `${text.charAt(0)}${hidden.slice(1, -1)}${text.charAt(0)}` : hidden
}
