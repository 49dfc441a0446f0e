import { openAdmissionStore } from '../limits/admission-store.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { addressMemorySuite } from './suites/admission/address-memory.ts'
import { admissionSuite } from './suites/admission/admission.ts'

async function openData() {
  const folder = await tempFolder()
  return {
    open: () => openAdmissionStore(folder.path, testClock()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

admissionSuite('SQLite', openData)
addressMemorySuite('SQLite', openData)
