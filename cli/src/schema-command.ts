import { ENDPOINTS, ROUTES } from '@stakewright/contract'
import { inputJsonSchema, replyJsonSchema, waitingJsonSchema } from '@stakewright/contract/json-schema'
import { ENDPOINT_COMMANDS } from './api/endpoint-commands.ts'
import { type Command, Misuse, Refusal } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { readOptions } from './read-options.ts'

/** `schema COMMAND`: the schemas of a command's input and output, one pair for each of its forms. */
export const schemaCommand = (commands: () => readonly Command[]): Command => ({
  words: 'schema',
  usage: 'COMMAND',
  summary: 'What a command takes and answers, as JSON Schema',
  section: 'Command line',
  flags: ['json'],
  completions: () => commands().flatMap((command) => (schemasOf(command).length > 0 ? [command.words] : [])),
  withoutTerminal: 'json',
  async run(args) {
    const options = { json: { type: 'boolean' } } as const
    const { positionals } = readOptions(args, { options, allowPositionals: true })
    const words = positionals.join(' ')
    if (words === '') throw new Misuse('Say which command: stakewright schema COMMAND.')
    const command = commands().find((each) => each.words === words)
    const known = commands().map((each) => each.words)
    if (!command) throw new Misuse(`There is no command "${words}".${didYouMean(words, known)}`)
    const schemas = schemasOf(command)
    if (schemas.length === 0)
      throw new Refusal(
        'usage',
        `"${words}" has no schema: it is no call of the API.`,
        `\`stakewright help ${words}\` says what it takes.`,
      )
    const data = schemas.length === 1 ? schemas[0] : schemas
    return { data, text: JSON.stringify(data, undefined, 2) }
  },
})

function schemasOf({ words, schema }: Command): readonly unknown[] {
  const same = ENDPOINT_COMMANDS.filter((command) => command.words === words)
  const ofEndpoints = same.map(({ endpoint, positionals }) => ({
    command: words,
    endpoint,
    ...ROUTES[endpoint],
    positionals,
    input: inputJsonSchema(ENDPOINTS[endpoint]),
    output: replyJsonSchema(ENDPOINTS[endpoint]),
    waiting: waitingJsonSchema(ENDPOINTS[endpoint]),
  }))
  return schema === undefined ? ofEndpoints : [...ofEndpoints, { command: words, ...Object(schema) }]
}
