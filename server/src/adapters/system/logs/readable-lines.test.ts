import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonLogger } from './json-logger.ts'
import { readableLines } from './readable-lines.ts'

function logged(hasColour = false) {
  const lines: string[] = []
  const output = readableLines({ write: (line) => lines.push(line) }, hasColour)
  return { logger: jsonLogger({ level: 'info', output }), text: () => lines.join('') }
}

test('a request is one short line', () => {
  const { logger, text } = logged()
  const fields = {
    requestId: 'r',
    route: '/api/v1/staking/epoch',
    method: 'GET',
    status: 200,
    latencyMs: 1.25,
  }
  logger.info('request', { ...fields, bytes: 225, agentId: 'agt_1' })
  assert.match(text(), /^\d\d:\d\d:\d\d info {2}GET \/api\/v1\/staking\/epoch 200 1\.25 ms agentId=agt_1\n$/)
})

test('an error has its stack below its line, and secrets are in neither', () => {
  const { logger, text } = logged()
  const key = `stk_${'A'.repeat(46)}`
  logger.error('it failed', new Error(`no ${key}`), { job: 'deliver-mail', count: 2 })
  assert.match(
    text(),
    /^\d\d:\d\d:\d\d error it failed job=deliver-mail count=2 .*\n {4}Error: no .*\n {4,}at /,
  )
  assert(!text().includes(key))
})

test('with colours the level is coloured', () => {
  const { logger, text } = logged(true)
  logger.warn('look')
  assert(text().includes('\u001b[33mwarn'))
})
