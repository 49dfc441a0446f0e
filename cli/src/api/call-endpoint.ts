import { type CallOptions, type Client, NotModified } from '@stakewright/client'
import { type EndpointName, ROUTES } from '@stakewright/contract'
import type { Result, Terminal } from '../command.ts'
import { localUrl } from '../profiles.ts'
import { genericView, isObject } from '../render/generic-view.ts'
import { readableFigures } from '../render/readable-figures.ts'
import { viewOf } from '../render/views.ts'
import { asCommand } from './as-command.ts'
import { type Connection, clientFor, connectionFor, whySecretsUnused } from './connection.ts'
import type { EndpointCommand } from './endpoint-commands.ts'
import { inputFlags } from './input-flags.ts'
import { inputOf } from './input-of-call.ts'
import { parseCall } from './parse-call.ts'
import { requireCredential } from './require-credential.ts'
import { checkSavable, profileToSave, saveSecret } from './save-secret.ts'
import { readFields, selectFields, withFieldsBesideList } from './select-fields.ts'
import { problemIn } from './verdicts.ts'

/**
 * Runs the command of an endpoint: parses the line, calls the service, shows the answer. The line is checked
 * completely before the call, because a call may change something.
 */
export async function callEndpoint(
  candidates: readonly EndpointCommand[],
  args: readonly string[],
  terminal: Terminal,
): Promise<Result> {
  const call = parseCall(candidates, args)
  const names = call.common['fields']
  const selection = names === undefined ? undefined : readFields(call.endpoint, names)
  const connection = connectionFor(call, terminal.env)
  const input = await inputOf(call, terminal.readInput)
  if (connection.profilesError && connection.baseUrl === localUrl(terminal.env))
    terminal.say(whySecretsUnused(connection) ?? '')
  if (call.isSet('dry-run')) return dryRun(call.endpoint, input, connection)
  const savedIn = profileToSave(call, connection)
  requireCredential(call.endpoint, connection, savedIn, terminal.env)
  if (savedIn !== undefined) checkSavable(call, savedIn, connection, terminal.env)
  const done = terminal.showWaiting(`waiting for ${connection.baseUrl}`)
  const idempotencyKey = call.common['idempotency-key']
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  const answer = await ask(clientFor(connection), call.endpoint, input, options)
    .catch(notModified)
    .finally(done)
  if (answer instanceof NotModified) return { data: null, text: answer.message, isUnchanged: true }
  const whole = withCommands(answer)
  const saved = savedIn === undefined ? undefined : saveSecret(call, whole, savedIn, connection, terminal.env)
  const isSaved = saved?.kind === 'saved'
  const reply = isSaved ? saved.reply : whole
  const outcome = {
    problem: saved?.kind === 'not_saved' ? saved.problem : problemIn(call.endpoint, whole),
    ...(isSaved && { note: saved.note }),
  }
  if (!selection) return { data: reply, text: viewOf(call.endpoint, reply, terminal.style), ...outcome }
  const shown = selectFields(readableFigures(call.endpoint, reply), selection)
  const data = selectFields(reply, withFieldsBesideList(call.endpoint, selection))
  return { data, text: genericView(shown, terminal.style), ...outcome }
}

/** Adds to each call of a plan the command that makes it. */
function withCommands(answer: unknown): unknown {
  if (!isObject(answer) || !Array.isArray(answer['calls'])) return answer
  return { ...answer, calls: answer['calls'].map((call) => ({ ...call, command: asCommand(call) })) }
}

/** The client has a method per endpoint; the service validates the input. */
function ask(
  client: Client,
  endpoint: EndpointName,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<unknown> {
  const method = client[endpoint] as (
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ) => Promise<unknown>
  return method(input, options)
}

/** 304 is the outcome that a conditional request asks for, so it is not a failure. */
function notModified(error: unknown): NotModified {
  if (error instanceof NotModified) return error
  throw error
}

/** The request that the client would send, without its credentials. */
async function dryRun(
  endpoint: EndpointName,
  input: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<Result> {
  let data: unknown
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body, hideSecret) : undefined
    data = { method: init?.method, url: String(url), auth: ROUTES[endpoint].auth, ...(body && { body }) }
    return new Response('{}', { status: 200 })
  }
  const secrets = inputFlags(endpoint).flatMap(({ field, isSecret }) => (isSecret ? [field] : []))
  const hideSecret = (name: string, value: unknown) => (secrets.includes(name) ? '(not shown)' : value)
  await ask(clientFor(connection, { fetch }), endpoint, input)
  return { data, text: JSON.stringify(data, undefined, 2), note: 'Nothing was sent.' }
}
