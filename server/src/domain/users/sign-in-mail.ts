import type { OutgoingMail } from '#ports/agents.ts'

type Content = { readonly to: string; readonly code: string; readonly minutes: number }

/** Has nothing in it that whoever asked for the code has chosen. */
export function signInMail({ to, code, minutes }: Content): OutgoingMail {
  const ask = 'Your code for signing in to Stakewright:'
  const use = `It works once, within ${minutes} minutes. Nobody from Stakewright will ever ask you for it.`
  const ignore = 'If you did not ask for it, do nothing: without the code nobody gets in.'
  return {
    to,
    // The code is not in the subject: a locked screen shows that.
    subject: 'Your sign-in code for Stakewright',
    text: [ask, '', `    ${code}`, '', use, ignore, ''].join('\n'),
    html: [
      '<!doctype html>',
      '<html lang="en"><body>',
      `<p>${ask}</p>`,
      `<p style="font: 600 28px ui-monospace, Menlo, Consolas, monospace; letter-spacing: 4px">${code}</p>`,
      `<p>${use}</p>`,
      `<p>${ignore}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  }
}
