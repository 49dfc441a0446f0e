import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recent } from '../../src/data/recent.ts'

test('the most recent values are kept, and all in use; no more of the others', () => {
  const most = 4
  const keys = fc.array(fc.constantFrom(...'abcdefghij'), { maxLength: 60 })
  fc.assert(
    fc.property(keys, fc.subarray([...'abc']), (wanted, used) => {
      const values = new Map<string, { readonly key: string }>()
      const made: string[] = []
      for (const [index, key] of wanted.entries()) {
        const before = values.get(key)
        const isInUse = (value: { readonly key: string }) => used.includes(value.key)
        const make = () => {
          made.push(key)
          return { key }
        }
        const value = recent(values, key, { make, most, isInUse })
        assert.equal(value.key, key)
        assert(before === undefined || before === value, 'a kept value is the same')
        const last = [...new Set(wanted.slice(0, index + 1).toReversed())].slice(0, most - used.length)
        for (const each of last) assert(values.has(each), `${each} of ${[...values.keys()]}`)
        assert(values.size <= most)
      }
      for (const each of used) assert(made.filter((key) => key === each).length <= 1, `${each} is in use`)
    }),
  )
})
