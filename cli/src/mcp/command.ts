import { connectionFor, whySecretsUnused } from '../api/connection.ts'
import type { Command } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { relayMcp } from './relay.ts'

/** The stdio transport for MCP clients: relays messages from standard input to the service, and its answers back. */
export const MCP_COMMAND: Command = {
  words: 'mcp',
  usage: '[--url URL] [--profile NAME]',
  summary: 'Speak MCP on standard input and output, for clients that start a program',
  section: 'Command line',
  flags: ['url', 'profile'],
  withoutTerminal: 'raw',
  async run(args, { env, input, print, say }) {
    const options = { url: { type: 'string' }, profile: { type: 'string' } } as const
    const { values } = readOptions(args, { options })
    const connection = connectionFor({ common: values, isSet: () => false }, env)
    const { baseUrl, apiKey, profile } = connection
    const elsewhere = whySecretsUnused(connection)
    if (apiKey === undefined && elsewhere !== undefined) say(elsewhere)
    await relayMcp({
      url: `${baseUrl.replace(/\/+$/, '')}/mcp`,
      apiKey,
      keyFrom: env['STAKEWRIGHT_API_KEY'] ? 'STAKEWRIGHT_API_KEY' : `the profile "${profile}"`,
      input,
      write: print,
    })
    return undefined
  },
}
