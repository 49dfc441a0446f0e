import { ENDPOINTS } from '@stakewright/contract'
import { replyJsonSchema } from '@stakewright/contract/json-schema'
import { toPlaceholder } from './as-command.ts'
import type { EndpointCommand } from './endpoint-commands.ts'
import { inputFlags, propertiesOf } from './input-flags.ts'

/** A refusal of the service, which names fields of the request, with what is typed on the line instead. */
export const flagWords = (text: string, commands: readonly EndpointCommand[]): string =>
  withNames(text, typedNames(commands))

/** A description, which may speak of a field of the answer: what both have keeps its name. */
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

/** What is typed for a field, such as `--max-validators`; undefined for what is no input of the command. */
export const typedName = (field: string, commands: readonly EndpointCommand[]): string | undefined =>
  typedNames(commands).get(/^[\w-]+/.exec(field)?.[0] ?? '')

/** Words in their place are named as the usage line has them. */
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

/** A field and a header that are options of the command line itself. */
const COMMON = [
  ['fields', '--fields'],
  ['Idempotency-Key', '--idempotency-key'],
] as const

/** A field in backticks, with the place in it. That of an answer keeps its name. */
const FIELD = /`([\w-]+)((?:\.\w+|\[\d+\])*)`(?! of the answer)/g
