import { openAdmissionStore } from '../limits/admission-store.ts'
import { tempFolder } from '../temp-folder.ts'
import { testClock } from '../test-clock.ts'
import { addressMemorySuite, admissionSuite } from './admission.ts'

async function openData() {
  const folder = await tempFolder()
  return {
    open: () => openAdmissionStore(folder.path, testClock()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

admissionSuite('SQLite', openData)
addressMemorySuite('SQLite', openData)
