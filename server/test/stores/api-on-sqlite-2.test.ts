import { apiTestsOn, PARTS } from './api-tests.ts'

apiTestsOn('sqlite', PARTS[1])
