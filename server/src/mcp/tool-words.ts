import { isTool, REST_WORDS, toolName, type Words } from '@stakewright/contract'

/** Endpoints in the words of MCP. Calls that are no tool are named as over HTTP. */
export const TOOL_WORDS: Words = {
  ...REST_WORDS,
  call: (endpoint) => (isTool(endpoint) ? toolName(endpoint) : REST_WORDS.call(endpoint)),
  idempotencyKey: 'idempotencyKey',
  input: 'arguments',
  sendKey: 'Set it in your MCP client',
  schema: 'the resource stakewright://schema/{tool}',
}
