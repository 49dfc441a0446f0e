import { ENDPOINTS } from '@stakewright/contract'
import { replyJsonSchema } from '@stakewright/contract/json-schema'
import { toPlaceholder } from './as-command.ts'
import type { EndpointCommand } from './endpoint-commands.ts'
import { inputFlags, propertiesOf } from './input-flags.ts'

/** Replaces the request fields that a refusal names by the options or arguments that set them. */
export const flagWords = (text: string, commands: readonly EndpointCommand[]): string =>
  withNames(text, typedNames(commands))

/** The same for a description. Field names that the answer has, too, stay: the description may mean the answer's field. */
export function flagWordsOfHelp(text: string, commands: readonly EndpointCommand[]): string {
  const answered = commands.flatMap(({ endpoint }) =>
    Object.keys(propertiesOf(replyJsonSchema(ENDPOINTS[endpoint]))),
  )
  const names = [...typedNames(commands)].filter(([field]) => !answered.includes(field))
  return withNames(text, new Map(names))
}

function withNames(text: string, typed: ReadonlyMap<string, string>): string {
  return text
    .replaceAll(FIELD, (quoted, field: string, inner: string) => {
      const name = typed.get(field)
      if (name === undefined) return quoted
      return inner === '' ? name : `\`${inner.replace(/^\./, '')}\` of ${name}`
    })
    .replaceAll('send the request again', 'run the command again')
}

/** The option or argument that sets a field, such as `--max-validators`; undefined if the command has no such input. */
export const typedName = (field: string, commands: readonly EndpointCommand[]): string | undefined =>
  typedNames(commands).get(/^[\w-]+/.exec(field)?.[0] ?? '')

/** Positional arguments are named as in the usage line. */
function typedNames(commands: readonly EndpointCommand[]): ReadonlyMap<string, string> {
  const names = commands.flatMap(({ endpoint, positionals }) =>
    inputFlags(endpoint)
      .filter(({ isSecret }) => !isSecret)
      .map(({ field, flag }) => {
        return [field, positionals.includes(field) ? toPlaceholder(field) : `--${flag}`] as const
      }),
  )
  return new Map([...names, ...COMMON])
}

/** A field and a header that are global options. */
const COMMON = [
  ['fields', '--fields'],
  ['Idempotency-Key', '--idempotency-key'],
] as const

/** A field in backticks, with the path inside it, unless the text says that it is a field of the answer. */
const FIELD = /`([\w-]+)((?:\.\w+|\[\d+\])*)`(?! of the answer)/g
