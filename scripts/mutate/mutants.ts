import { stripTypeScriptTypes } from 'node:module'

export type Mutant = { readonly at: number; readonly from: string; readonly to: string }

const CHANGES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  true: 'false',
  false: 'true',
  // Comparisons that the store makes.
  "'='": "'!='",
  "'<'": "'<='",
  "'<='": "'<'",
  "'>'": "'>='",
  "'>='": "'>'",
  "'desc'": "'asc'",
}

/**
 * What is skipped, or changed, in the order of trying. Regular expressions are told from division by what stands
 * before them; the parts of templates are skipped with their texts.
 */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[(,=:[!&|?{;\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*|=>|\*\*|\?\.|\+\+|--|[+\-*/%&|?<>=!]=?=?|&&=?|\|\|=?|\?\?=?|(?<![\w$.])(?:true|false)(?![\w$])|(?<![\w$.])\d[\d_]*n?(?![\w$.])/g

/** Every change of one operator or literal of the program. Types are no part of it. */
export function mutantsOf(source: string): readonly Mutant[] {
  // Blanks take the place of types, so that every position stays.
  const program = stripTypeScriptTypes(source, { mode: 'strip' })
  const mutants: Mutant[] = []
  for (const match of program.matchAll(TOKENS)) {
    const [from] = match
    const to = CHANGES[from] ?? nextNumber(from)
    if (to !== undefined && !isInImport(program, match.index)) mutants.push({ at: match.index, from, to })
    if (from === '!') mutants.push({ at: match.index, from, to: '' })
  }
  return mutants
}

function nextNumber(text: string): string | undefined {
  if (!/^\d/.test(text)) return undefined
  const digits = BigInt(text.replaceAll('_', '').replace('n', '')) + 1n
  return `${digits}${text.endsWith('n') ? 'n' : ''}`
}

/** `import * as name` multiplies nothing. */
const isInImport = (program: string, at: number) =>
  /^\s*import\b/.test(program.slice(program.lastIndexOf('\n', at) + 1, at))
