"""Checks signed intents without code of this project: own canonical JSON, SHA-256 of Python, Ed25519 of OpenSSL."""
import base64, hashlib, json, os, subprocess, sys, tempfile


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_signed(message, signature, public_key):
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        head = bytes.fromhex("302a300506032b6570032100")
        for name, content in {"message": message, "signature": signature, "key": head + public_key}.items():
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "wb") as file:
                file.write(content)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths["key"]]
        command += ["-rawin", "-in", paths["message"], "-sigfile", paths["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def judge(answer, keys):
    text = canonical(answer["intent"]).encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("=")
    signature = answer["intentSignature"]
    key = next(key for key in keys["keys"] if key["kid"] == signature["keyId"])
    signed = is_signed(text, unpadded(signature["value"]), unpadded(key["x"]))
    return {"text": text.decode(), "id": digest == answer["intentId"], "signature": signed}


given = json.load(sys.stdin)
print(json.dumps([judge(answer, given["keys"]) for answer in given["answers"]]))
