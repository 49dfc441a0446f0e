import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp } from './mcp-client.ts'
import { TOKEN_GOAL, usualAnswers } from './usual-answers.ts'

test('each of the answers that agents ask for most costs at most 1,500 tokens', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const answers = await usualAnswers(async (name, args) => {
    const answer = await mcp.call(name, args)
    assert(!answer.isError, `${name}: ${answer.text}`)
    return answer
  })
  assert(answers.length >= 10)
  for (const [name, { text }] of answers)
    assert(countTokens(text) <= TOKEN_GOAL, `${name}: ${countTokens(text)} tokens`)
})
