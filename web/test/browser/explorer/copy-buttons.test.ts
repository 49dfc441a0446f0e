import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('copy buttons copy the text beside them to the clipboard, also without a secure origin, say so, and cover none of it on a phone', async () => {
  const { data } = await app.client().validators()
  const id = data.find(({ status }) => status === 'active')?.id ?? ''
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const clipboard = () => page.evaluate('navigator.clipboard.readText()')
  await watched.open(`/validators/${id}`)
  const copyId = page.getByRole('button', { name: /^Copy the / }).first()
  await copyId.click()
  await copyId.getByText('Copied').waitFor()
  assert.equal(await clipboard(), id)
  await watched.visit('/allocate')
  const call = page.getByLabel('the curl code', { exact: true })
  const copyCall = page.getByRole('button', { name: 'Copy the curl code' })
  await copyCall.click()
  await copyCall.getByText('Copied').waitFor()
  assert.equal(await clipboard(), await call.textContent())
  // Over plain HTTP from another machine a page has only the older command.
  await page.evaluate(`self.clipboard = navigator.clipboard
    Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  const copyAnswer = page.getByRole('button', { name: 'Copy the TypeScript code' })
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  await copyAnswer.click()
  await copyAnswer.getByText('Copied').waitFor()
  const text = await page.getByLabel('the TypeScript code', { exact: true }).textContent()
  assert.equal(await page.evaluate('clipboard.readText()'), text)
  await page.getByRole('tab', { name: 'curl' }).click()
  await watched.resize(360)
  const [code, button] = await Promise.all([call.boundingBox(), copyCall.boundingBox()])
  assert(code && button && button.x >= code.x + code.width, JSON.stringify({ code, button }))
  watched.assertClean('copying')
})
