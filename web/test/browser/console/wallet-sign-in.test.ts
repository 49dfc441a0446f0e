import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const signedIn = await sharePage()

test('a play wallet signs in, registers an agent, and finds it again after signing out', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await page.getByRole('button', { name: 'Sign with a play wallet' }).click()
  await page.getByRole('button', { name: 'Register the first one' }).click()
  await page.getByLabel('Name').fill('wallet-agent')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign with a play wallet' }).click()
  await page.getByRole('link', { name: 'wallet-agent' }).click()
  await page.getByText('Its owner registered it.').waitFor()
  // Nothing is mailed to a wallet, so no mail is promised.
  await page.getByRole('button', { name: 'Set a policy' }).click()
  await page.getByLabel('Ask me above').fill('100')
  await page.getByText('The request waits in the console').waitFor()
  await page.getByRole('button', { name: 'Set the policy' }).click()
  await page.getByText('The change stands in the history of the policy.').waitFor()
  assert.doesNotMatch(
    (await page.locator('main').textContent()) ?? '',
    /get a mail|gets a mail|by mail|the mail\b/,
  )
  await page.getByRole('button', { name: 'Set it' }).click()
  await page.getByText('You are asked first above').first().waitFor()
  await watched.open('/console?agents=approvals')
  await page.getByText('What your agents ask for appears only here').waitFor()
  watched.assertClean('a play wallet')
})

/** A script that reads the token of the tab's user. */
const STORED = `JSON.parse(sessionStorage.getItem('stakewright.session') ?? '{}').user?.token ?? ''`

/** Signs in with the play wallet of the shared page, whose last test has ended signed out. */
async function signIn() {
  await signedIn.visit('/console')
  await signedIn.page.getByRole('button', { name: 'Sign with a play wallet' }).click()
  await signedIn.page.getByRole('button', { name: 'Sign out' }).waitFor()
  await signedIn.settle()
  return signedIn
}

test('a sign-in holds in a new tab, and signing out ends it in all tabs and at the service', async () => {
  const watched = await signIn()
  const { page } = watched
  const user = app.client({ token: String(await page.evaluate(STORED)) })
  await user.listSessions()
  const other = await watched.context.newPage()
  await other.goto('/console')
  await other.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign with a play wallet' }).waitFor()
  await other.getByRole('button', { name: 'Sign with a play wallet' }).waitFor()
  for (const tab of [page, other]) assert.equal(await tab.evaluate(STORED), '')
  await other.close()
  await assert.rejects(user.listSessions(), { code: 'unauthorized' })
  assert.equal(await page.getByText('The service did not answer').count(), 0)
  watched.assertClean('signed out')
})

test('signing out while the service is away forgets the token, and says that the session may be open', async () => {
  const watched = await signIn()
  const { page } = watched
  await page.route('**/api/v1/auth/sessions/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('The service did not answer, so the session may still be open there').waitFor()
  assert.equal(await page.evaluate(STORED), '')
  assert(watched.takeMessages().every((message) => /ERR_CONNECTION_REFUSED/.test(message)))
  await page.unrouteAll({ behavior: 'wait' })
})

test('after a session was ended elsewhere the next action asks to sign in, on the same page', async () => {
  const watched = await signIn()
  const { page } = watched
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  /** Ends the session as another tab would: the page learns of it only by the next refusal. */
  const endElsewhere = async () => {
    const user = app.client({ token: String(await page.evaluate(STORED)) })
    const { data } = await user.listSessions()
    const own = data.find(({ isCurrent }) => isCurrent)
    await user.endSession({ id: own?.id ?? '' })
  }
  await press('Register an agent')
  await page.getByLabel('Name').fill('ended-elsewhere')
  await endElsewhere()
  await press('Register')
  await page.getByText('Your session has ended.').waitFor()
  assert.equal(await page.evaluate(STORED), '')
  await press('Sign with a play wallet')
  await press('Register an agent')
  await page.getByLabel('Name').fill('ended-elsewhere')
  await press('Register')
  await press('I have stored it')
  await page.getByRole('link', { name: 'ended-elsewhere' }).click()
  await press('Rotate the key')
  await watched.settle()
  await endElsewhere()
  await press('Rotate now')
  await page.getByText('Your session has ended.').waitFor()
  await press('Sign with a play wallet')
  await page.getByRole('heading', { level: 1, name: 'ended-elsewhere' }).waitFor()
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('401')))
})

/** An extension as the Wallet Standard describes it: it announces itself, and refuses to sign. */
const EXTENSION = `(() => {
  const account = { address: '0x' + '7'.repeat(64), chains: ['sui:mainnet'] }
  const wallet = {
    name: 'Test Wallet',
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'sui:signPersonalMessage': {
        signPersonalMessage: async ({ message }) => {
          window.asked = new TextDecoder().decode(message)
          throw new Error('The owner said no.')
        },
      },
    },
  }
  const announce = (api) => api.register(wallet)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }))
  addEventListener('wallet-standard:app-ready', ({ detail }) => announce(detail))
})()`

test('a browser wallet is offered by its name, gets the text to sign, and may refuse', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.addInitScript(EXTENSION)
  await watched.open('/console')
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await page.getByText('The owner said no.').waitFor()
  const asked = String(await page.evaluate('window.asked'))
  assert.match(asked, /Signing this text moves nothing/)
  assert(asked.includes(new URL(app.url).host))
  assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
  watched.assertClean('a wallet that refuses')
})
