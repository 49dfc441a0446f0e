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
  // Comparison operators in queries.
  "'='": "'!='",
  "'<'": "'<='",
  "'<='": "'<'",
  "'>'": "'>='",
  "'>='": "'>'",
  "'desc'": "'asc'",
}

/**
 * The tokens that are skipped or mutated, in the order of matching. The token before a slash tells a regular
 * expression from a division; templates are skipped together with the expressions in them.
 */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[(,=:[!&|?{;\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*|=>|\*\*|\?\.|\+\+|--|[+\-*/%&|?<>=!]=?=?|&&=?|\|\|=?|\?\?=?|(?<![\w$.])(?:true|false)(?![\w$])|(?<![\w$.])\d[\d_]*n?(?![\w$.])/g

/** All mutants of one operator or literal each. Types are not mutated. */
export function mutantsOf(source: string): readonly Mutant[] {
  // Types are replaced by blanks, so that positions stay the same.
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

/** The `*` in `import * as name` is not an operator. */
const isInImport = (program: string, at: number) =>
  /^\s*import\b/.test(program.slice(program.lastIndexOf('\n', at) + 1, at))
