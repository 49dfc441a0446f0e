import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findPromtool } from '../../server/test/support/services/prometheus-server.ts'
import { documentsOf, ROOT, valuesOf } from './ops-yaml.ts'

const execute = promisify(execFile)
const RULES = 'ops/prometheus/alerts.yaml'
const CASES = 'ops/prometheus/alerts.test.yaml'

test('every alert passes its cases of firing and not firing under promtool', async (t) => {
  const promtool = await findPromtool()
  if (!promtool) return t.skip('there is no promtool here')
  const { command, env } = promtool
  await execute(command, ['check', 'rules', join(ROOT, RULES)], { env })
  await execute(command, ['test', 'rules', join(ROOT, CASES)], { env }).catch((error) =>
    assert.fail(`${error.stdout}${error.stderr}`),
  )
})

test('every alert has a case in which it fires and one in which it does not', () => {
  const alerts = documentsOf(RULES).flatMap((tree) => valuesOf('alert', tree).map(String))
  assert(alerts.length > 5)
  const cases = documentsOf(CASES).flatMap((tree) => valuesOf('alert_rule_test', tree).flat())
  const named = (alert: string) => cases.filter((one) => valuesOf('alertname', one)[0] === alert)
  for (const alert of alerts) {
    const firing = named(alert).filter((one) => valuesOf('exp_alerts', one).length > 0)
    assert(firing.length > 0, `${alert} fires`)
    assert(firing.length < named(alert).length, `${alert} does not fire`)
  }
})
