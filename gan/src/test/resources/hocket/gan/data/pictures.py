"""Makes the folder pictures/ beside it: small PNG and JPEG files of every kind that is read, and pictures.json with
what Pillow reads from them.

usage: pictures.py     (needs pillow, numpy)
`grey` and `colour` are the samples 0..1, row-major (1 or 3, height, width); transparency is dropped. Grey of colours is
0.299 R + 0.587 G + 0.114 B in float. `tolerance` is larger for JPEG, where decoders differ in their last bits.
`fitted` are ImageOps.fit(image, (width, height), BILINEAR) of grey in Pillow's float mode.
"""
import json, os, platform
import numpy as np, PIL
from PIL import Image, ImageOps

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "pictures")
H, W = 6, 9
y, x = np.mgrid[0:H, 0:W]
red, green, blue = (x * 255 // (W - 1)), (y * 255 // (H - 1)), ((x * 37 + y * 59) % 256)
rgb = np.stack([red, green, blue], -1).astype(np.uint8)
grey = ((x * 29 + y * 43) % 256).astype(np.uint8)
smooth = np.stack([120 + 10 * x, 200 - 20 * y, 90 + 5 * x + 5 * y], -1).astype(np.uint8)
alpha = ((x * 255) // (W - 1)).astype(np.uint8)
deep = (grey.astype(np.uint16) * 256 + 77)
few = Image.fromarray(rgb).quantize(7)

files = {
    "grey-8.png": (Image.fromarray(grey), {}),
    "grey-16.png": (Image.fromarray(deep), {}),
    "grey-1.png": (Image.fromarray(grey > 100), {}),
    "grey-alpha.png": (Image.merge("LA", [Image.fromarray(grey), Image.fromarray(alpha)]), {}),
    "rgb.png": (Image.fromarray(rgb), {}),
    "rgba.png": (Image.fromarray(np.dstack([rgb, alpha])), {}),
    "palette-4.png": (few, {"bits": 4}),
    "palette-8.png": (Image.fromarray(rgb).quantize(40), {"bits": 8}),
    "grey.jpg": (Image.fromarray(smooth).convert("L"), {"quality": 95}),
    "rgb.jpg": (Image.fromarray(smooth), {"quality": 95, "subsampling": 0}),
    "progressive.jpeg": (Image.fromarray(smooth), {"quality": 95, "subsampling": 0, "progressive": True}),
}


def floats(image):
    """(3 or 1, H, W) in 0..1"""
    if image.mode == "I;16" or image.mode == "I":
        return np.asarray(image).astype(np.float64)[None] / 65535
    if image.mode in ("1", "L", "LA"):
        return np.asarray(image.convert("LA").getchannel(0)).astype(np.float64)[None] / 255
    return np.moveaxis(np.asarray(image.convert("RGBA"))[:, :, :3].astype(np.float64), -1, 0) / 255


os.makedirs(OUT, exist_ok=True)
pictures = []
for name, (image, options) in files.items():
    image.save(os.path.join(OUT, name), **options)
    values = floats(Image.open(os.path.join(OUT, name)))
    mono = values if len(values) == 1 else (0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2])[None]
    pictures.append({"file": name, "height": H, "width": W, "tolerance": 1e-6 if name.endswith("png") else 2.5 / 255,
                     "grey": mono.ravel().tolist(),
                     "colour": (values if len(values) == 3 else np.repeat(values, 3, 0)).ravel().tolist()})
Image.fromarray(smooth).convert("CMYK").save(os.path.join(HERE, "cmyk.jpg"))

source = Image.open(os.path.join(OUT, "grey-8.png")).convert("F")
fitted = []
for h, w in [(6, 9), (3, 3), (4, 2), (12, 18), (8, 8), (1, 1), (5, 20), (20, 5)]:
    fit = ImageOps.fit(source, (w, h), Image.BILINEAR)
    fitted.append({"height": h, "width": w, "grey": (np.asarray(fit).astype(np.float64) / 255).ravel().tolist()})
made_with = {"python": platform.python_version(), "numpy": np.__version__, "pillow": PIL.__version__}
with open(os.path.join(HERE, "pictures.json"), "w") as out:
    out.write(json.dumps({"made_with": made_with, "pictures": pictures, "fitted": fitted}) + "\n")
