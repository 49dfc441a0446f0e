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
  // Read often: after a clock jump, chain data are stale until they are read again.
  REFRESH_MS: '1000',
  SANDBOX_EPOCH_MS: String(DAY_MS),
  // Longer than any run: the whole log is compared with all answers at the end.
  AUDIT_RETENTION_DAYS: '3650',
}

/** An instance that can be killed and restarted on its port, with a system clock that can be set. */
export type LabInstance = AsyncDisposable & {
  readonly url: string
  /** Kills the process and starts it again. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  setClock(offsetSeconds: number): Promise<void>
  /** Description of an exit that the lab did not cause. */
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
