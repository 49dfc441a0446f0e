import { type Client, StakewrightError } from '@stakewright/client'

/** The state of a key by the answers alone. A request that was sent and not answered leaves it `open`. */
export type KeyState = 'works' | 'dead' | 'open'

export type History = {
  readonly keys: Map<string, KeyState>
  /** The number of answered self-registrations. */
  registered: number
  /** The number of all answers. */
  answers: number
}

export const newHistory = (): History => ({ keys: new Map(), registered: 0, answers: 0 })

type Lane = {
  readonly client: Client
  readonly name: string
  readonly history: History
  /** Called after each answer. */
  readonly onAnswer: () => void
}

/** Registers agents, one after the other, until the service is gone. */
export function registerOn(lane: Lane): Promise<void> {
  return untilGone(async (life) => {
    const email = `${lane.name}-${life}@example.com`
    const { data } = await lane.client.selfRegister({ email, agentName: 'scout' })
    lane.history.keys.set(data.apiKey, 'dead')
    lane.history.registered += 1
    answered(lane)
  })
}

/** Registers, rotates twice and revokes, agent after agent, until the service is gone. */
export function manageOn(lane: Lane): Promise<void> {
  const { client, history } = lane
  return untilGone(async () => {
    const { data } = await client.registerAgent({ agentName: 'scout' })
    let { apiKey } = data
    history.keys.set(apiKey, 'works')
    answered(lane)
    for (let round = 0; round < 2; round += 1) {
      history.keys.set(apiKey, 'open')
      const rotated = await client.rotateKey({ id: data.id })
      history.keys.set(apiKey, 'dead')
      apiKey = rotated.data.apiKey
      history.keys.set(apiKey, 'works')
      answered(lane)
    }
    history.keys.set(apiKey, 'open')
    await client.revokeAgent({ id: data.id })
    history.keys.set(apiKey, 'dead')
    answered(lane)
  })
}

function answered({ history, onAnswer }: Lane): void {
  history.answers += 1
  onAnswer()
}

async function untilGone(liveOnce: (life: number) => Promise<void>): Promise<void> {
  try {
    for (let life = 0; ; life += 1) await liveOnce(life)
  } catch (error) {
    if (!(error instanceof StakewrightError && error.code === 'unreachable')) throw error
  }
}
