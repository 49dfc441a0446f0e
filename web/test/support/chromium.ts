import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../../../server/test/support/services/debian-program.ts'

/** The headless shell is the same engine without the browser around it, and takes about two thirds of the CPU time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const
const PACKAGES = ['chromium-headless-shell', 'chromium-common'] as const
/** Starts also as root and without a network, and sends no requests of its own. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Without it pages may change their URL as often as they like, which browsers do not let them. */
const NOT_AS_PEOPLE_HAVE_IT = ['--disable-ipc-flooding-protection']

/** Chromium: that of the machine, or Debian's package, unpacked without root. */
export async function openChromium(): Promise<Browser> {
  const { command, env } = await findProgram(NAMES, PACKAGES, {
    versionFlag: '--version',
    folders: ['usr/lib/chromium'],
    isDeep: true,
  })
  return chromium.launch({
    executablePath: command,
    args: ARGUMENTS,
    ignoreDefaultArgs: NOT_AS_PEOPLE_HAVE_IT,
    env: toText(env),
  })
}

const toText = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
