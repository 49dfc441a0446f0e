import { CODES, type McpAnswer, messagesOf, methodOf, refusalOf, refuse, toAnswer } from './json-rpc.ts'

/** The last revision with batches; later ones take one message per request. */
const WITH_BATCHES = '2025-03-26'

/** Bounds the work of one request. */
const MAX_MESSAGES = 20

type Needs = {
  readonly headers: Readonly<Record<string, string>>
  readonly answerOne: (message: unknown) => Promise<McpAnswer>
  /** Counts a message like a separate request; the result is the reason of a refusal. */
  readonly countOne: () => Promise<string | undefined>
}

/** Answers the messages of a batch sequentially, each counted, in one list. */
export async function answerBatch(messages: readonly unknown[], needs: Needs): Promise<McpAnswer> {
  const { headers, answerOne, countOne } = needs
  const problem = problemWith(messages, headers['mcp-protocol-version'])
  if (problem !== undefined) return refuse(undefined, { status: 400, code: CODES.request, text: problem })
  const answers: unknown[] = []
  for (const [at, message] of messages.entries()) {
    // The guard has counted the request itself, which stands for the first message.
    const refused = at === 0 ? undefined : await countOne()
    if (refused === undefined) answers.push(...messagesOf(await answerOne(message)))
    else answers.push(refusalOf(message, { code: CODES.server, text: refused }))
  }
  return answers.length > 0 ? toAnswer(answers) : { status: 202, contentType: null, body: '' }
}

function problemWith(messages: readonly unknown[], version = WITH_BATCHES): string | undefined {
  if (version > WITH_BATCHES) return `Send one message per request: revision ${version} has no batches.`
  if (messages.length === 0) return 'The batch is empty. Send at least one message.'
  if (messages.length > MAX_MESSAGES) return `Send at most ${MAX_MESSAGES} messages in a batch.`
  const hasStart = messages.some((message) => methodOf(message) === 'initialize')
  return hasStart ? 'Send `initialize` alone, before any batch.' : undefined
}
