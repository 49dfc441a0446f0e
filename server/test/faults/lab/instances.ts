import { type ServiceProcess, startService } from '../../../../test/e2e/service-process.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { SECRETS } from '../../scale/support/admin-token.ts'
import { freePort } from '../../support/server-process.ts'
import type { FakedClock } from './faked-clocks.ts'

const SETTINGS = {
  ...SECRETS,
  LIMIT_IP_RPM: '1000000',
  LIMIT_GLOBAL_RPM: '1000000',
  LOG_LEVEL: 'error',
  // A clock that is moved on makes chain data old until they are read again.
  REFRESH_MS: '1000',
  SANDBOX_EPOCH_MS: String(DAY_MS),
  // More days than a run has midnights: what is in the log in the end is compared with all that was answered.
  AUDIT_RETENTION_DAYS: '3650',
}

/** An instance that is killed and started again on its port, and whose machine's clock can be set. */
export type LabInstance = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, and starts it again. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  setClock(offsetSeconds: number): Promise<void>
  /** Set when it has ended without being told to. */
  ended(): string | undefined
}

type Needs = {
  readonly name: string
  readonly folder: string
  readonly stores: Readonly<Record<string, string>>
  readonly clock: FakedClock
}

export async function openInstance({ name, folder, stores, clock }: Needs): Promise<LabInstance> {
  const env = {
    ...SETTINGS,
    ...stores,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    ...clock.env,
  }
  let service: ServiceProcess = await startService(env)
  let unexpected: string | undefined
  const watch = (started: ServiceProcess) =>
    started.child.once('exit', (code, signal) => {
      if (started === service)
        unexpected ??= `${name} ended with ${code ?? signal}: ${started.output().slice(-2_000)}`
    })
  watch(service)
  const kill = async () => {
    const old = service
    old.child.removeAllListeners('exit')
    await old[Symbol.asyncDispose]()
  }
  return {
    url: service.url,
    async restart() {
      await kill()
      service = await startService(env)
      watch(service)
    },
    signal: (signal) => void service.child.kill(signal),
    setClock: clock.setWrong,
    ended: () => unexpected,
    [Symbol.asyncDispose]: kill,
  }
}
