import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { GrpcTypes } from '@mysten/sui/grpc'

/** Fault that replaces or changes an answer on the wire. */
export type WireFault =
  | { readonly kind: 'silent' }
  /** Delays the answer until the promise resolves; then asks the plan again. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-midway' }
  | { readonly kind: 'endless' }
  | { readonly kind: 'announced-huge' }
  | { readonly kind: 'gzip-bomb' }
  | { readonly kind: 'redirect'; readonly to: string }
  | {
      readonly kind: 'http-status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | {
      readonly kind: 'grpc-status'
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'bytes'; readonly change: (body: Buffer) => Buffer }
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }

export type Handlers = Readonly<Record<string, (input: object) => object>>
export type Call = {
  readonly method: string
  readonly number: number
  readonly headers: IncomingHttpHeaders
  /** Query string with its question mark; empty without one. */
  readonly query: string
}
export type FaultPlan = (call: Call) => WireFault | undefined

export type GrpcWebServer = AsyncDisposable & {
  readonly url: string
  /** The methods called so far, in order. */
  readonly calls: readonly string[]
  /** Bytes written so far by endless answers. */
  readonly written: () => number
  plan: FaultPlan
}

const { LedgerService, StateService, TransactionExecutionService, SignatureVerificationService } = GrpcTypes
type Method = (typeof LedgerService.methods)[number]
const METHODS = new Map<string, Method>(
  [LedgerService, StateService, TransactionExecutionService, SignatureVerificationService].flatMap(
    (service) => service.methods.map((method) => [`/${service.typeName}/${method.name}`, method]),
  ),
)

/** No timeouts: server and client share a process, so a connection would count as idle while the client computes. */
const NO_TIMEOUTS = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }

/** Serves the services of the Sui SDK as gRPC-web on a loopback port, for the real client. */
export async function serveGrpcWeb(handlers: Handlers): Promise<GrpcWebServer> {
  const calls: string[] = []
  let written = 0
  const noteWritten = (bytes: number) => {
    written += bytes
  }
  const served = { plan: (() => undefined) as FaultPlan }

  const server = createServer(NO_TIMEOUTS, async (request, response) => {
    const { pathname, search: query } = new URL(request.url ?? '', 'http://node')
    const method = METHODS.get(pathname)
    const body = await readBody(request)
    if (method === undefined) {
      response.writeHead(404).end()
      return
    }
    calls.push(method.name)
    const call = { method: method.name, number: calls.length, headers: request.headers, query }
    const planned = served.plan(call)
    if (planned?.kind === 'held') await planned.until
    const fault = planned?.kind === 'held' ? served.plan(call) : planned
    if (fault && breakWire(fault, request, response, noteWritten)) return
    const reply = answerOf(() => {
      const handle = handlers[method.name]
      if (handle === undefined) throw new GrpcFailure(12, `${method.name} is not served`)
      return method.O.toBinary(method.O.create(handle(method.I.fromBinary(body.subarray(5)))))
    }, fault)
    const headers = fault && 'headers' in fault ? fault.headers : {}
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto', ...headers }).end(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return Object.assign(served, {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    written: () => written,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

export class GrpcFailure extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function answerOf(handle: () => Uint8Array, fault: WireFault | undefined): Buffer {
  try {
    if (fault?.kind === 'grpc-status') throw new GrpcFailure(fault.status, fault.message ?? 'as planned')
    const whole = Buffer.concat([frame(0, handle()), trailer(0, '')])
    return fault?.kind === 'bytes' ? fault.change(whole) : whole
  } catch (failure) {
    return trailer(failure instanceof GrpcFailure ? failure.status : 13, String(failure))
  }
}

/** True if the fault has taken over the request: it has answered, or there will be no answer. */
function breakWire(
  fault: WireFault,
  request: IncomingMessage,
  response: ServerResponse,
  noteWritten: (bytes: number) => void,
): boolean {
  const start = (headers: Record<string, string> = {}) =>
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto', ...headers })
  switch (fault.kind) {
    case 'silent':
      return true
    case 'reset':
      request.socket.resetAndDestroy()
      return true
    case 'reset-midway':
      start({ 'content-length': '1000' }).write(Buffer.alloc(100), () => request.socket.resetAndDestroy())
      return true
    case 'endless':
      pourForever(start(), noteWritten)
      return true
    case 'announced-huge':
      start({ 'content-length': String(2 ** 40) }).write(Buffer.alloc(100))
      return true
    case 'gzip-bomb':
      start({ 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
      return true
    case 'redirect':
      response.writeHead(307, { location: fault.to }).end()
      return true
    case 'http-status':
      response.writeHead(fault.status, fault.headers).end(fault.body)
      return true
    default:
      return false
  }
}

function pourForever(response: ServerResponse, noteWritten: (bytes: number) => void): void {
  const block = Buffer.alloc(256 * 1024)
  const pour = () => {
    let room = true
    while (room && !response.destroyed) {
      noteWritten(block.length)
      room = response.write(block)
    }
  }
  response.on('drain', pour)
  response.on('error', () => undefined)
  pour()
}

function frame(flag: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag, 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

export const trailer = (status: number, message: string): Buffer =>
  frame(0x80, Buffer.from(`grpc-status:${status}\r\ngrpc-message:${encodeURIComponent(message)}\r\n`))

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
