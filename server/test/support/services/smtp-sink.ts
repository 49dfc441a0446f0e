import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Received = { readonly from: string; readonly to: readonly string[]; readonly message: string }

/** The server's reaction at a step: send this reply line, never answer, cut the connection, or accept. */
export type Behaviour = { readonly reply: string } | 'hang' | 'cut' | undefined

export type SmtpSink = AsyncDisposable & {
  readonly url: string
  /** Every mail that was read to its end, including those that were not acknowledged. */
  readonly received: Received[]
}

type Script = {
  readonly onRcpt?: (address: string) => Behaviour
  readonly onData?: (mail: Received) => Behaviour
  readonly options?: SMTPServerOptions
}

/** A real SMTP server on loopback that follows the script. */
export async function openSmtpSink({ onRcpt, onData, options }: Script = {}): Promise<SmtpSink> {
  const received: Received[] = []
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, _session, callback) => follow(onRcpt?.(address), server, callback),
    async onData(stream, session, callback) {
      const message = await text(stream).catch(() => undefined)
      // The sender has disconnected: an unfinished message is no mail.
      if (message === undefined) return
      const { mailFrom, rcptTo } = session.envelope
      const mail = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((to) => to.address), message }
      received.push(mail)
      follow(onData?.(mail), server, callback)
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      cutAll(server)
      await closed.promise
    },
  }
}

function follow(behaviour: Behaviour, server: SMTPServer, answer: (error?: Error) => void): void {
  if (behaviour === undefined) answer()
  else if (behaviour === 'cut') cutAll(server)
  else if (behaviour !== 'hang') answer(toReply(behaviour.reply))
}

function toReply(line: string): Error {
  const [code, text] = line.split(/ (.*)/)
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

function cutAll(server: SMTPServer): void {
  for (const connection of server.connections) connection._socket.destroy()
}
