import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { isLoopback } from '../../basics/loopback.ts'

export type SmtpServer = {
  readonly connection: SMTPConnectionOptions
  readonly login: SMTPConnectionAuth | undefined
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/**
 * Reads `smtp://user:password@host:port` (STARTTLS if the server offers it) or `smtps://…` (TLS from the start). With a
 * password, TLS is required except on loopback; `?requireTLS=true` requires it without a password, too. Error messages
 * never contain the password.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  const defaultPort = PORTS[url?.protocol ?? '']
  if (!url || defaultPort === undefined || url.hostname === '')
    throw new TypeError(
      'SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465',
    )
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '')
  const login = readLogin(url)
  const asked = readRequireTls(url)
  return {
    connection: {
      host,
      port: url.port === '' ? defaultPort : Number(url.port),
      secure: url.protocol === 'smtps:',
      requireTLS: asked || (login !== undefined && !isLoopback(host)),
      tls: { minVersion: 'TLSv1.2' },
    },
    login,
  }
}

function readLogin(url: URL): SMTPConnectionAuth | undefined {
  if (url.username === '') return undefined
  return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
}

function readRequireTls(url: URL): boolean {
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'requireTLS')
  if (unknown !== undefined) throw new TypeError(`SMTP_URL has an unknown option: ${unknown}`)
  const value = url.searchParams.get('requireTLS') ?? 'false'
  if (value !== 'true' && value !== 'false') throw new TypeError('SMTP_URL: requireTLS must be true or false')
  return value === 'true'
}
