import { posix } from 'node:path'

type Codes = ReadonlyMap<string, string>
type Names = Readonly<Record<string, string>>

type Bundles = {
  /** The file that the document loads. It contains the registry to which page files add their modules. */
  readonly main: string
  /** Entry modules of files loaded on demand, each with the modules it needs that are not in `main`. */
  readonly pages: readonly string[]
}

const IMPORT = /^import\b\s*(?:([^'"`;]*?)\s*\bfrom\b)?\s*['"]([^'"]+)['"];?/gm
const DECLARED = /^export\s+((?:async\s+)?function\b\*?|const|let|class)\s+([\w$]+)/gm
const DEFAULT_NAMED = /^export\s+default\s+((?:async\s+)?(?:function|class)\b)\s+([\w$]+)/gm
const DEFAULT_VALUE = /(^|[;}])export\s+default\b/gm
const LISTED = /(^|[;}])export\s*\{([^}]*)\}\s*(?:from\s*['"]([^'"]+)['"])?;?/gm
const LEFT_OVER = /(?:^import\b(?!\s*\()|^export\b|[;}]export[\s{]).*$/m

/**
 * Bundles modules into a few files, because a browser would fetch each module separately. Each module becomes a
 * function that runs on first use, so that a module in two files runs once. Imports and exports must be at the start
 * of a line, as in our own code; other forms are refused.
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

/** The module and all its transitive imports, dependencies first. */
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

/** Converts a module to a function body: imports become look-ups, exports are shared through the registry. */
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

/** The look-up for an import clause: `{ a, b as c }`, a default, or `* as all`. */
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

/** Parses `a, b as c` into pairs of name and alias. */
const pairsOf = (list: string): readonly (readonly [string, string])[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/)
      return [name, as] as const
    })
