import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer'
import { estimateTokens } from '#mcp/answers/estimate-tokens.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp } from './mcp-client.ts'
import { TOKEN_GOAL, usualAnswers } from './usual-answers.ts'

test('each of the usual answers costs at most 1,500 tokens, and its estimate is right within 10%', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const answers = await usualAnswers(async (name, args) => {
    const answer = await mcp.call(name, args)
    assert(!answer.isError, `${name}: ${answer.text}`)
    return answer
  })
  assert(answers.length >= 10)
  for (const [name, { text }] of answers) {
    const tokens = countTokens(text)
    assert(tokens <= TOKEN_GOAL, `${name}: ${tokens} tokens`)
    const estimate = estimateTokens(text)
    assert(Math.abs(estimate - tokens) <= 0.1 * tokens, `${name}: ${tokens} tokens, estimated ${estimate}`)
  }
})
