import { test } from 'node:test'
import fc from 'fast-check'
import { agentCommands, type Real } from '../agents/agent-commands.ts'
import { type Model, newModel, QUOTA } from '../agents/agent-model.ts'
import { openIdentity } from '../agents/identity.ts'
import { runs } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'

const START = Date.UTC(2026, 0, 31, 22)

/** The store in the folder, on the model's clock. */
async function openReal(folder: string, model: Model): Promise<Real> {
  const open = () =>
    openIdentity(folder, { clock: { now: () => model.now }, quota: QUOTA, mailsPerAddressDay: 1_000 })
  const real: Real = {
    identity: await open(),
    async reopen() {
      await real.identity[Symbol.asyncDispose]()
      real.identity = await open()
    },
  }
  return real
}

test('after random commands in any order, exactly the keys that the model says work, and limits are exact', async () => {
  await fc.assert(
    fc.asyncProperty(agentCommands, async (commands) => {
      await using folder = await tempFolder()
      const model = newModel(START)
      const real = await openReal(folder.path, model)
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands)
      } finally {
        await real.identity[Symbol.asyncDispose]()
      }
    }),
    runs(25),
  )
})
