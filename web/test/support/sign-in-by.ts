import { mailedCode } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'
import type { WatchedPage } from './watched-page.ts'

/** Signs in on the console the way a person does: address, mail, code. */
export async function signInBy({ page, settle }: WatchedPage, app: TestApp, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Code from the mail').waitFor()
  await page.getByLabel('Code from the mail').fill(await mailedCode(app, email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Code from the mail').waitFor({ state: 'detached' })
  await settle()
}
