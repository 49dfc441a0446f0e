import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { listArrivals } from './arrivals.ts'
import type { Exchange } from './exchange.ts'

function exchange(ordinal: number): Exchange {
  const request = new IncomingMessage(new Socket())
  return {
    id: String(ordinal),
    request,
    response: new ServerResponse(request),
    client: '192.0.2.1',
    startedAt: 0,
    ordinal,
    carriesBody: false,
    route: undefined,
    overdue: false,
    bytes: 0,
    headers: undefined,
    audit: undefined,
    notes: undefined,
    cancel: undefined,
    next: undefined,
    older: undefined,
    newer: undefined,
    finished: false,
  }
}

const MEMBERS = Array.from({ length: 12 }, (_, at) => exchange(at))

test('the list keeps the order of arrival, whatever leaves when', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(MEMBERS.length - 1), { maxLength: 60 }), (steps) => {
      const list = listArrivals()
      const model: Exchange[] = []
      for (const step of steps) {
        const member = MEMBERS[step]
        assert.ok(member)
        const at = model.indexOf(member)
        if (at === -1) {
          list.add(member)
          model.push(member)
        } else {
          list.remove(member)
          model.splice(at, 1)
          assert.equal(member.newer ?? member.older, undefined, 'what is over holds nobody')
        }
        assert.deepEqual(
          Array.from(list, ({ ordinal }) => ordinal),
          model.map(({ ordinal }) => ordinal),
        )
        assert.equal(list.isEmpty(), model.length === 0)
      }
      for (const member of model) list.remove(member)
    }),
  )
})

test('members may leave while they are looked at', () => {
  const list = listArrivals()
  for (const member of MEMBERS) list.add(member)
  const seen: number[] = []
  for (const member of list) {
    seen.push(member.ordinal)
    list.remove(member)
  }
  assert.equal(seen.length, MEMBERS.length)
  assert.ok(list.isEmpty())
})
