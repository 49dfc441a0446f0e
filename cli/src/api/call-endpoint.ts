import { type Client, NotModified } from '@stakewright/client'
import { type EndpointName, ROUTES } from '@stakewright/contract'
import { Misuse, type Result, type Terminal } from '../command.ts'
import { changeProfile, profilesFile } from '../profiles.ts'
import { genericView, isObject } from '../render/generic-view.ts'
import { viewOf } from '../render/views.ts'
import { type Connection, clientFor, connectionFor, requireCredential } from './connection.ts'
import type { EndpointCommand } from './endpoint-commands.ts'
import { inputFlags } from './input-flags.ts'
import { type ParsedCall, parseCall } from './parse-call.ts'
import { readInput } from './read-input.ts'
import { selectFields } from './select-fields.ts'

/** Runs a command that is an endpoint: reads the line, asks the service, shows what it answered. */
export async function callEndpoint(
  candidates: readonly EndpointCommand[],
  args: readonly string[],
  terminal: Terminal,
): Promise<Result> {
  const call = parseCall(candidates, args)
  const connection = connectionFor(call, terminal.env)
  const input = await wholeInput(call, terminal)
  requireInputs(call.endpoint, input)
  if (call.isSet('dry-run')) return dryRun(call.endpoint, input, connection)
  requireCredential(call.endpoint, connection)
  const done = terminal.showWaiting(`waiting for ${connection.baseUrl}`)
  const reply = await ask(clientFor(connection), call.endpoint, input).catch(notModified).finally(done)
  if (reply instanceof NotModified) return { data: null, text: reply.message, isUnchanged: true }
  const note = call.isSet('save') ? saveSecret(reply, connection, terminal) : undefined
  const names = call.common['fields']?.split(',').map((name) => name.trim())
  if (!names) return { data: reply, text: viewOf(call.endpoint, reply, terminal.style), note }
  const data = selectFields(reply, names)
  return { data, text: genericView(data, terminal.style), note }
}

async function wholeInput(
  { endpoint, common, input }: ParsedCall,
  { readInput: readStandardInput }: Terminal,
) {
  const source = common['input']
  if (source === undefined) return input
  const fields = inputFlags(endpoint).map(({ field }) => field)
  return { ...(await readInput(source, fields, readStandardInput)), ...input }
}

function requireInputs(endpoint: EndpointName, input: Readonly<Record<string, unknown>>): void {
  const missing = inputFlags(endpoint).filter(
    ({ field, isRequired }) => isRequired && input[field] === undefined,
  )
  if (missing.length === 0) return
  const names = missing.map(({ flag }) => `--${flag}`).join(', ')
  throw new Misuse(`Something is missing: ${names}. \`stakewright schema\` and --help show what it takes.`)
}

/** The method is that of the endpoint's own name, and the service checks the input. */
function ask(
  client: Client,
  endpoint: EndpointName,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const method = client[endpoint] as (input: Readonly<Record<string, unknown>>) => Promise<unknown>
  return method(input)
}

/** An outcome that the caller asked for, not a failure. */
function notModified(error: unknown): NotModified {
  if (error instanceof NotModified) return error
  throw error
}

/** The request as the client would send it, without the secrets. */
async function dryRun(
  endpoint: EndpointName,
  input: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<Result> {
  let data: unknown
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    data = { method: init?.method, url: String(url), auth: ROUTES[endpoint].auth, ...(body && { body }) }
    return new Response('{}', { status: 200 })
  }
  await ask(clientFor(connection, { fetch }), endpoint, input)
  return { data, text: JSON.stringify(data, undefined, 2), note: 'Nothing was sent.' }
}

/** A key or a token is answered once: with --save the profile has it, too. */
function saveSecret(reply: unknown, { baseUrl, profile }: Connection, { env }: Terminal): string {
  const { apiKey, accessToken } = isObject(reply) && isObject(reply['data']) ? reply['data'] : {}
  if (typeof apiKey === 'string') changeProfile(env, profile, { url: baseUrl, apiKey })
  else if (typeof accessToken === 'string') changeProfile(env, profile, { url: baseUrl, token: accessToken })
  else throw new Misuse('--save is for commands that are answered with a key or a token.')
  return `Saved in the profile "${profile}" (${profilesFile(env)}).`
}
