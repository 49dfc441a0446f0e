import { apiTestsOn } from './api-tests.ts'

apiTestsOn('postgres+redis')
