import { openAdmissionStore } from '../limits/admission-store.ts'
import { tempFolder } from '../temp-folder.ts'
import { testClock } from '../test-clock.ts'
import { admissionSuite } from './admission.ts'

admissionSuite('SQLite', async () => {
  const folder = await tempFolder()
  return {
    open: () => openAdmissionStore(folder.path, testClock()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
})
