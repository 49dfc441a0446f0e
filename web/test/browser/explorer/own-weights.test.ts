import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'

const { app, sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

test('the user’s own weights rank the validators again, are in the URL, and can be reset', async () => {
  const { data } = await app.client().validators()
  const { weights } = await app.client().scoring()
  const rankedBy = (own: Readonly<Record<string, number>>) =>
    data
      .flatMap(({ id, name, components: parts }) => {
        if (!parts) return []
        const sum = ['apy', 'uptime', 'commission'] as const
        const score = parts.gate * sum.reduce((total, part) => total + (own[part] ?? 0) * parts[part], 0)
        return [{ id, name, score }]
      })
      .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, 15)
      .map(({ name }) => name)
  await watched.visit('/score')
  const names = () => page.locator('tbody .name-cell a').allTextContents()
  const published = await names()
  assert.deepEqual(published, rankedBy(weights))
  assert.equal(await page.getByRole('button', { name: 'Back to the published weights' }).count(), 0)

  await page.getByLabel('Commission').press('End')
  await page.waitForURL(/weights=0-0-100/)
  const own = await names()
  assert.deepEqual(own, rankedBy({ commission: 1 }))
  assert.notDeepEqual(own, published)
  assert((await page.locator('.move.good').count()) > 0, 'who has risen is marked')
  await watched.assertAccessible('own weights')
  await page.reload()
  await watched.settle()
  assert.deepEqual(await names(), own)
  await page.getByRole('button', { name: 'Back to the published weights' }).click()
  assert.deepEqual(await names(), published)
  assert.equal(new URL(page.url()).search, '')
  watched.assertClean('own weights')
})

test('the keys move a weight step by step over its whole range, always to 100% in all, and back to where it was', async () => {
  await watched.visit('/score?weights=50-30-20')
  const yields = page.getByLabel('Yield')
  const shown = async () => (await page.locator('.weights output').allTextContents()).map(Number.parseFloat)
  const press = async (key: string, times: number) => {
    for (let pressed = 0; pressed < times; pressed += 1) {
      await yields.press(key)
      assert.equal(
        (await shown()).reduce((sum, one) => sum + one, 0),
        100,
      )
    }
  }
  await press('ArrowRight', 50)
  assert.deepEqual(await shown(), [100, 0, 0])
  await press('ArrowLeft', 50)
  assert.deepEqual(await shown(), [50, 30, 20])
  await watched.visit('/score?weights=33-33-33')
  assert.deepEqual(await shown(), [34, 33, 33])
  await press('Home', 1)
  await press('ArrowRight', 1)
  assert.equal((await shown())[0], 1)
  watched.assertClean('weights by keyboard')
})
