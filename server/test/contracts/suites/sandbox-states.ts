import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SandboxStates } from '#ports/chain/sandbox.ts'

type Opened = AsyncDisposable & { readonly states: SandboxStates }

/** The guarantees of every store of the simulated chain's state. `open` opens an empty one. */
export function sandboxStatesSuite(name: string, open: () => Promise<Opened>): void {
  suite(`sandbox states: ${name}`, () => {
    test('an empty store has no state, and takes the first one as version 1', async () => {
      await using store = await open()
      assert.equal(await store.states.load(), undefined)
      assert.equal(await store.states.version(), undefined)
      assert.equal(await store.states.replace(0, 'first'), true)
      assert.equal(await store.states.version(), 1)
      assert.deepEqual(await store.states.load(), { version: 1, state: 'first' })
    })

    test('each replacement is the next version, with its text unchanged', async () => {
      await using store = await open()
      const texts = ['', '{"a":"é🦉\\u0000"}', 'x'.repeat(1_000_000)]
      for (const [version, state] of texts.entries()) {
        assert.equal(await store.states.replace(version, state), true)
        assert.deepEqual(await store.states.load(), { version: version + 1, state })
      }
    })

    test('a version that is not the present one changes nothing', async () => {
      await using store = await open()
      assert.equal(await store.states.replace(3, 'from nothing'), false)
      await store.states.replace(0, 'first')
      await store.states.replace(1, 'second')
      for (const version of [0, 1, 3]) assert.equal(await store.states.replace(version, 'wrong'), false)
      assert.deepEqual(await store.states.load(), { version: 2, state: 'second' })
    })

    test('of simultaneous replacements of one version exactly one succeeds', async () => {
      await using store = await open()
      for (const version of [0, 1, 2]) {
        const tries = await Promise.all(
          Array.from({ length: 10 }, async (_, index) => ({
            index,
            won: await store.states.replace(version, `by ${index}`),
          })),
        )
        const winners = tries.filter((attempt) => attempt.won)
        assert.equal(winners.length, 1)
        assert.deepEqual(await store.states.load(), {
          version: version + 1,
          state: `by ${winners[0]?.index}`,
        })
      }
    })
  })
}
