import { ENDPOINTS, ROUTES } from '@stakewright/contract'
import { inputJsonSchema, replyJsonSchema, waitingJsonSchema } from '@stakewright/contract/json-schema'
import { ENDPOINT_COMMANDS } from './api/endpoint-commands.ts'
import { type Command, Misuse } from './command.ts'
import { meant } from './meant.ts'
import { readOptions } from './read-options.ts'

/** `schema COMMAND`: what a command takes and answers, for programs that call it. */
export const SCHEMA_COMMAND: Command = {
  words: 'schema',
  usage: 'COMMAND',
  summary: 'What a command takes and answers, as JSON Schema',
  section: 'Command line',
  flags: ['json'],
  withoutTerminal: 'json',
  async run(args) {
    const options = { json: { type: 'boolean' } } as const
    const { positionals } = readOptions(args, { options, allowPositionals: true })
    const words = positionals.join(' ')
    if (words === '') throw new Misuse('Say which command: stakewright schema COMMAND.')
    const commands = ENDPOINT_COMMANDS.filter((command) => command.words === words)
    const known = ENDPOINT_COMMANDS.map((command) => command.words)
    if (commands.length === 0) throw new Misuse(`There is no command "${words}".${meant(words, known)}`)
    const schemas = commands.map(({ endpoint, positionals: order }) => ({
      command: words,
      endpoint,
      ...ROUTES[endpoint],
      positionals: order,
      input: inputJsonSchema(ENDPOINTS[endpoint]),
      output: replyJsonSchema(ENDPOINTS[endpoint]),
      waiting: waitingJsonSchema(ENDPOINTS[endpoint]),
    }))
    const data = schemas.length === 1 ? schemas[0] : schemas
    return { data, text: JSON.stringify(data, undefined, 2) }
  },
}
