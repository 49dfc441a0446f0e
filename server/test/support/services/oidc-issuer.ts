import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SigningKey = {
  readonly kid: string
  readonly alg: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function rsaKey(kid: string, modulusLength = 2048): SigningKey {
  return { kid, alg: 'RS256', ...generateKeyPairSync('rsa', { modulusLength }) }
}

export function ecKey(kid: string): SigningKey {
  return { kid, alg: 'ES256', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
}

const toPart = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signs a token of exactly this content, valid or not. A string is not serialized again. */
export function signToken(
  key: SigningKey,
  claims: object | string,
  header: object | string = { alg: key.alg, kid: key.kid, typ: 'JWT' },
): string {
  const content = `${toPart(header)}.${toPart(claims)}`
  const signature = sign('sha256', Buffer.from(content), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(key.alg === 'PS256' && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
  })
  return `${content}.${signature.toString('base64url')}`
}

export type KeyServer = AsyncDisposable & {
  readonly url: string
  /** How often the keys were fetched. */
  readonly fetches: () => number
  /** Sets the answer from now on. */
  serve(answer: RequestListener | readonly SigningKey[]): void
}

/** The key endpoint of an OIDC issuer, on loopback. */
export async function openKeyServer(keys: readonly SigningKey[]): Promise<KeyServer> {
  let fetches = 0
  let answer = publish(keys)
  const server = createServer((request, response) => {
    fetches += 1
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/keys`,
    fetches: () => fetches,
    serve(next) {
      answer = typeof next === 'function' ? next : publish(next)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function publish(keys: readonly SigningKey[]): RequestListener {
  const body = {
    keys: keys.map(({ kid, alg, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg,
      use: 'sig',
    })),
  }
  return (_request, response) => sendJson(response, body)
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
