import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isWeakSecret } from './weak-secret.ts'

test('short, repeated, sequential and placeholder secrets are weak', () => {
  for (const text of [
    'short',
    'a'.repeat(32),
    'abc123'.repeat(10),
    'Summer2026!Summer2026?Summer2026#Summer',
    'deadbeef-deadbeef-deadbeef-deadbeef-1',
    'hunter2.hunter3.hunter4.hunter5.hunter6.hunter7',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'QWERTYUIOPasdfghjklZXCVBNM!@#$%^',
    '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol',
    '098765432109876543211234567890poiuytrewq',
    'mnbvcxzlkjhgfdsapoiuytrewq0987654321',
    '00112233445566778899aabbccddeeff',
    'azertyuiopqsdfghjklmwxcvbn123456',
    'my-super-secret-jwt-secret-for-production-2024',
    'thequickbrownfoxjumpsoverthelazydog',
    'change-this-before-production-please-do',
    'CHANGE_ME_0123456789abcdef0123456789',
  ])
    assert.equal(isWeakSecret(text), true, text)
})

test('secrets from published examples are weak', () => {
  for (const text of [
    'a-string-secret-at-least-256-bits-long',
    'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
    'your-256-bit-secret-your-256-bit-secret',
    'your_512_bit_secret_for_production_0001',
    'this-is-a-very-long-secret-key-for-jwt',
    'correcthorsebatterystaplecorrecthorse',
    'Correct Horse Battery Staple 2026 2026!',
    '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
    '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
    'stakewright-production-jwt-secret-2026',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b',
    'D41D8CD98F00B204E9800998ECF8427E',
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  ])
    assert.equal(isWeakSecret(text), true, text)
})

test('a secret of random words is not weak', () => {
  assert.equal(isWeakSecret('correct horse battery staple orbit lantern'), false)
})

test('random bytes are not weak, in hex, base64 and base64url', () => {
  for (const spelling of ['hex', 'base64', 'base64url'] as const) {
    for (let count = 0; count < 10_000; count += 1) {
      const text = randomBytes(32).toString(spelling)
      assert.equal(isWeakSecret(text), false, text)
    }
  }
})
