import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Matches options, such as `-h`, `--json` and `--url=…`, which are lower-case words; not a key in base64url. */
const LIKE_AN_OPTION = /^-(?:[a-z]|-[a-z][a-z-]*(?:=.*)?)?$/s

/** Node's `parseArgs`, except that a value may begin with a dash, as keys and signatures in base64url do. */
export function readOptions<T extends ParseArgsConfig>(args: readonly string[], config: T) {
  return parseArgs<T>({ ...config, args: joinValues(args, config.options ?? {}) })
}

/** Writes `--name -value` as `--name=-value`. */
function joinValues(args: readonly string[], options: Options): string[] {
  const joined: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (arg === '--') return [...joined, ...args.slice(index)]
    const value = args[index + 1]
    const isValue = options[arg.replace(/^--/, '')]?.type === 'string' && arg.startsWith('--')
    if (isValue && value?.startsWith('-') && !LIKE_AN_OPTION.test(value)) {
      joined.push(`${arg}=${value}`)
      index += 1
    } else joined.push(arg)
  }
  return joined
}
