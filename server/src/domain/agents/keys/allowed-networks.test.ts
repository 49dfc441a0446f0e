import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedFrom } from './allowed-networks.ts'

const CASES: readonly (readonly [
  client: string | undefined,
  networks: readonly string[],
  isAllowed: boolean,
])[] = [
  ['203.0.113.7', [], true],
  [undefined, [], true],
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['203.0.113.7', ['203.0.113.6/31'], true],
  ['203.0.113.8', ['203.0.113.6/31'], false],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['203.0.113.7', ['203.0.113.99/24'], true],
  ['9.9.9.9', ['0.0.0.0/0'], true],
  ['2001:db8:1:2::/64', ['2001:db8::/32'], true],
  ['2001:db8:1:2::/64', ['2001:DB8:0001:2::/64'], true],
  ['2001:db8:1:3::/64', ['2001:db8:1:2::/64'], false],
  ['2001:db9:1:2::/64', ['2001:db8::/32'], false],
  ['0:0:0:0::/64', ['::/64'], true],
  ['2001:db8:1:2::/64', ['0.0.0.0/0'], false],
  ['9.9.9.9', ['::/0'], false],
  ['9.9.9.9', ['2001:db8::/32', '9.0.0.0/8'], true],
  ['unknown', ['0.0.0.0/0', '::/0'], false],
  [undefined, ['0.0.0.0/0'], false],
  ['9.9.9.9', ['garbage', '9.9.9.9/99', '9.9.9/8'], false],
]

test('a client is allowed from its networks and from no other', () => {
  for (const [client, networks, isAllowed] of CASES) {
    assert.equal(isAllowedFrom(client, networks), isAllowed, `${client} in ${networks.join()}`)
  }
})
