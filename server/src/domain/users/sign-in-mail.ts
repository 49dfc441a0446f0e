import type { OutgoingMail } from '#ports/stores/outbox.ts'
import { HOUR_MS } from '../../durations.ts'
import type { SignInRules } from './sign-in-code.ts'

type Content = {
  readonly to: string
  readonly code: string
  readonly longCode: string
  readonly rules: Pick<SignInRules, 'codeMs' | 'longCodeMs'>
}

/** Contains nothing that the requester of the code has chosen. */
export function signInMail({ to, code, longCode, rules }: Content): OutgoingMail {
  const hours = rules.longCodeMs / HOUR_MS
  const ask = 'Your code for signing in to Stakewright:'
  const use = `It works once, within ${rules.codeMs / 60_000} minutes. Nobody from Stakewright will ever ask you for it.`
  const long = `If it is refused, because somebody else has tried codes for your address, use this one. It works once, within ${hours} hours:`
  // While strangers request codes for this address, this may be the only mail that its owner gets.
  const ignore = `If you did not ask for a code: without it nobody gets in. Keep this mail for ${hours} hours all the same: should you want to sign in meanwhile and get no other, its long code works.`
  return {
    to,
    // The code is not in the subject: a locked screen shows that.
    subject: 'Your sign-in code for Stakewright',
    text: [ask, '', `    ${code}`, '', use, '', long, '', `    ${longCode}`, '', ignore, ''].join('\n'),
    html: [
      '<!doctype html>',
      '<html lang="en"><body>',
      `<p>${ask}</p>`,
      `<p style="font: 600 28px ${MONOSPACE}; letter-spacing: 4px">${code}</p>`,
      `<p>${use}</p>`,
      `<p>${long}</p>`,
      `<p style="font: 16px ${MONOSPACE}">${longCode}</p>`,
      `<p>${ignore}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  }
}

const MONOSPACE = 'ui-monospace, Menlo, Consolas, monospace'
