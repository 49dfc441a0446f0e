import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedFrom, networkProblem } from './allowed-networks.ts'

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
  ['203.0.113.9', ['203.0.113.8/32'], false],
  ['203.0.112.7', ['203.0.113.0/23'], true],
  ['203.1.112.7', ['203.0.112.0/15'], true],
  ['203.2.112.7', ['203.0.112.0/15'], false],
  ['202.0.113.7', ['203.0.113.0/7'], true],
  ['203.0.113.7', ['127.0.113.0/1'], false],
  ['255.255.255.255', ['255.255.255.255/32'], true],
  ['9.9.9.9', ['9.9.9.0009'], false],
  ['144.144.145.0', ['9.9.9.256'], false],
  ['9.9.9.9', ['9.9.9.9.9', '9.9.9.x', ''], false],
  ['1:2:3:4::/64', ['1:2:3:4:5:6:7:8/64'], true],
  ['1:2:3:4::/64', ['1:2:3:4::5:6:7:8/64'], true],
  ['1:2:3:4::/64', ['1:2:3:4:5:6:7:8:9/64', '1:2:3:4:5:6:7/64', '1:2:3:4:5::6:7:8:9/64'], false],
  ['0:1:2:3::/64', ['::1:2:3:4:5:6:7/64'], true],
  ['0:1:2:4::/64', ['::1:2:3:4:5:6:7/64'], false],
  ['0:0:1:2::/64', ['0::1:2:3:4:5:6/64'], true],
  ['2001:db8:1:2::/64', ['2001:db8:1:2:5::/64'], true],
  ['2001:db8:1:2::/64', ['2002:db8:1:2::/64'], false],
  ['2001:db8:1234:5::/64', ['2001:db8:1000::/36'], true],
  ['2001:db8:2234:5::/64', ['2001:db8:1000::/36'], false],
  ['2001:db8::/64', ['02001:db8::/32', '2001:db8g::/32'], false],
  ['2001:db8:1:2::/64', ['2001:db8:1:2::/65', '2001:db8:1:2::/-1'], false],
  ['::/64', ['::ffff:10.0.0.1/64'], false],
  ['9.9.9.9', ['garbage', '9.9.9.9/99', '9.9.9/8'], false],
]

test('a client is allowed exactly from the listed networks', () => {
  for (const [client, networks, isAllowed] of CASES) {
    assert.equal(isAllowedFrom(client, networks), isAllowed, `${client} in ${networks.join()}`)
  }
})

const PROBLEMS: readonly (readonly [network: string, problem: RegExp | undefined])[] = [
  ['203.0.113.0/24', undefined],
  ['203.0.113.128/25', undefined],
  ['203.0.113.7', undefined],
  ['203.0.113.7/32', undefined],
  ['128.0.0.0/1', undefined],
  ['2001:db8::/32', undefined],
  ['2001:db8::1', undefined],
  ['8000::/1', undefined],
  ['203.0.113.0/24.5', /such as/],
  ['203.0.113.0/24/8', /such as/],
  ['203.0.113.0/0x18', /such as/],
  ['203.0.113.0/ 24', /such as/],
  ['203.0.113.0/', /such as/],
  ['1::2::3', /such as/],
  ['203.0.113.5/24', /first address/],
  ['203.0.113.64/25', /first address/],
  ['203.0.113.1/31', /first address/],
  ['64.0.0.0/1', /first address/],
  ['2001:db8::1/32', /first address/],
  ['2001:db8:8000::/32', /first address/],
  ['::1/127', /first address/],
  ['0.0.0.0/0', /every address/],
  ['9.0.0.0/0', /every address/],
  ['::/0', /every address/],
  ['0.0.0.0', /every address/],
  ['0.0.0.0/8', undefined],
  ['::ffff:10.0.0.1', /written as IPv4/],
  ['::ffff:10.0.0.0/104', /written as IPv4/],
  ['203.0.113.0/33', /must be a network such as/],
  ['2001:db8::/129', /must be a network such as/],
  ['203.0.113.0/x', /must be a network such as/],
  ['office', /must be a network such as/],
  ['', /must be a network such as/],
]

test('malformed and misleading networks are refused, and no others', () => {
  for (const [network, problem] of PROBLEMS) {
    const found = networkProblem(network)
    if (problem === undefined) assert.equal(found, undefined, network)
    else assert.match(`${found?.problem}`, problem, network)
  }
})
