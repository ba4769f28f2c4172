package hocket.gan.data;

import hocket.schedulers.Source;

/** A source of images that scores compare generated images with. */
public interface ImageSource extends Source {
    /** All images of the source. */
    Images images();
}
