import { posix } from 'node:path'

type Codes = ReadonlyMap<string, string>
type Names = Readonly<Record<string, string>>

type Bundles = {
  /** What the document loads first. It holds the registry that the others add to. */
  readonly main: string
  /** Fetched when first wanted: each with all it needs that `main` does not hold. */
  readonly pages: readonly string[]
}

const IMPORT = /^import\b\s*(?:([^'"`;]*?)\s*\bfrom\b)?\s*['"]([^'"]+)['"];?/gm
const DECLARED = /^export\s+((?:async\s+)?function\b\*?|const|let|class)\s+([\w$]+)/gm
const DEFAULT_NAMED = /^export\s+default\s+((?:async\s+)?(?:function|class)\b)\s+([\w$]+)/gm
const DEFAULT_VALUE = /(^|[;}])export\s+default\b/gm
const LISTED = /(^|[;}])export\s*\{([^}]*)\}\s*(?:from\s*['"]([^'"]+)['"])?;?/gm
const LEFT_OVER = /(?:^import\b(?!\s*\()|^export\b|[;}]export[\s{]).*$/m

/**
 * Few files instead of many modules: a browser would fetch each one by itself. Every module becomes a function that
 * runs when it is first used, so that one that is in two files runs once. The modules are written as ours are, one
 * import or export at the start of a line; anything else is refused rather than guessed.
 */
export function bundleModules(codes: Codes, names: Names, { main, pages }: Bundles): Codes {
  const inMain = graphOf(main, codes, names)
  const files = pages.map((page) => {
    const own = [...graphOf(page, codes, names)].filter((path) => !inMain.has(path))
    const registry = relative(page, main)
    const head = `import { define, share, use } from '${registry}'\n`
    return [page, `${head}${factories(own, codes, names)}export default use('${page}').default\n`] as const
  })
  const code = `${REGISTRY}${factories([...inMain], codes, names)}use('${main}')\n`
  return new Map([[main, code], ...files])
}

const REGISTRY = `const factories = new Map(), modules = new Map()
export const define = (path, factory) => factories.has(path) || factories.set(path, factory)
export const use = (path) => {
  if (!modules.has(path)) {
    modules.set(path, {})
    factories.get(path)(modules.get(path))
  }
  return modules.get(path)
}
export const share = (module, values) => {
  for (const name in values) Object.defineProperty(module, name, { get: values[name], enumerable: true })
}
`

const factories = (paths: readonly string[], codes: Codes, names: Names): string =>
  paths
    .map((path) => `define('${path}', ($module) => {\n${toBody(path, codes.get(path) ?? '', names)}\n})\n`)
    .join('')

/** Every module that one needs before it runs, itself included. */
function graphOf(entry: string, codes: Codes, names: Names): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (path: string, from: readonly string[]): void => {
    if (from.includes(path)) throw new Error(`Modules import each other: ${[...from, path].join(' → ')}`)
    if (found.has(path)) return
    const code = codes.get(path)
    if (code === undefined) throw new Error(`${from.at(-1)} imports ${path}, which is not there.`)
    for (const wanted of importsOf(code)) visit(resolve(wanted, path, names), [...from, path])
    found.add(path)
  }
  visit(entry, [])
  return found
}

const importsOf = (code: string): readonly string[] => [
  ...[...code.matchAll(IMPORT)].map(([, , path = '']) => path),
  ...[...code.matchAll(LISTED)].flatMap(([, , , path]) => path ?? []),
]

function resolve(wanted: string, from: string, names: Names): string {
  return wanted.startsWith('.') ? posix.join(posix.dirname(from), wanted) : (names[wanted] ?? wanted)
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** A module as the body of a function: imports become look-ups, exports are told to the registry. */
function toBody(path: string, code: string, names: Names): string {
  const shared: string[] = []
  const share = (name: string, value: string) => shared.push(`${name}: () => ${value}`)
  const body = code
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')
    .replaceAll(IMPORT, (_, what: string | undefined, wanted: string) =>
      toLookUp(what?.trim() ?? '', resolve(wanted, path, names)),
    )
    .replaceAll(DEFAULT_NAMED, (_, keyword: string, name: string) => {
      share('default', name)
      return `${keyword} ${name}`
    })
    .replaceAll(DEFAULT_VALUE, (_, before: string) => {
      share('default', '$default')
      return `${before}const $default =`
    })
    .replaceAll(DECLARED, (_, keyword: string, name: string) => {
      share(name, name)
      return `${keyword} ${name}`
    })
    .replaceAll(LISTED, (_, before: string, list: string, wanted: string | undefined) => {
      const source = wanted === undefined ? '' : `use('${resolve(wanted, path, names)}').`
      for (const [name, as] of pairsOf(list)) share(as, `${source}${name}`)
      return before
    })
  const left = LEFT_OVER.exec(body)
  if (left) throw new Error(`${path} has a line that cannot be bundled: ${left[0]}`)
  return `share($module, { ${shared.join(', ')} })\n${body}`
}

/** `{ a, b as c }`, a default, or `* as all`, from a module of the registry. */
function toLookUp(what: string, path: string): string {
  const source = `use('${path}')`
  const all = /^\*\s*as\s+([\w$]+)$/.exec(what)?.[1]
  if (all !== undefined) return `const ${all} = ${source};`
  const list = /\{([^}]*)\}/.exec(what)?.[1] ?? ''
  const first = /^([\w$]+)/.exec(what)?.[1]
  const parts = pairsOf(list).map(([name, as]) => (name === as ? name : `${name}: ${as}`))
  if (first !== undefined) parts.unshift(`default: ${first}`)
  return parts.length === 0 ? `${source};` : `const { ${parts.join(', ')} } = ${source};`
}

/** `a, b as c` as pairs of a name and what it is called here. */
const pairsOf = (list: string): readonly (readonly [string, string])[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/)
      return [name, as] as const
    })
